/** The commands that pair phones, and list, test, rename and remove them. */
package dev.bridle.cli.phone;
