/** The commands about tenants: which there are, how long their events are kept, their deletion. */
package dev.bridle.cli.tenant;
