/** Commands that list and delete tenants and set the retention of their events. */
package dev.bridle.cli.tenant;
