/** The commands that pair phones, and list, rename and remove them. */
package dev.bridle.cli.phone;
