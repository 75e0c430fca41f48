/** By which rules a decision is accepted, and in which states requests and exchanges are. */
package dev.bridle.harp.rule;
