/** Empty lists of resources that later levels fill. */
package dev.bridle.core.later;
