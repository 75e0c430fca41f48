/** Reads operations, members and comments of the contract from its descriptors. */
package dev.bridle.cli.contract;
