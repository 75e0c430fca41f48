/** The one exception type of the core, and the one place that maps it to gRPC. */
package dev.bridle.core.kernel.error;
