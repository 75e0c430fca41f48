/** The files of the web pages, as they are served. */
package dev.bridle.pages;
