/**
 * Permission requests and standing grants: what agents ask before they act, and what people say.
 */
package dev.bridle.core.work.permission;
