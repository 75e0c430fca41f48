/** What a start does about the format of the stored data: check it, and bring it up to date. */
package dev.bridle.storage.layer.migration;
