/** Commands of an approver and an enforcer of HARP, on files. */
package dev.bridle.cli.harp;
