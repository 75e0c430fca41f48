/** Files below an open folder, by their names, without following links. */
package dev.bridle.folder;
