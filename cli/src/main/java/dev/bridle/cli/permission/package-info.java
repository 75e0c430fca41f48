/** What an agent asks to do as people are shown it, and their answers. */
package dev.bridle.cli.permission;
