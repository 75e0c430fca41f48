package dev.bridle.worker;

/** What a handler asks people for: answers, permissions, and tools that clients run. */
record Asking(Questions questions, Permissions permissions, HostTools hostTools) {}
