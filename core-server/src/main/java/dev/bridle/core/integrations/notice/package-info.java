/** Notices that this server signs for approval devices. */
package dev.bridle.core.integrations.notice;
