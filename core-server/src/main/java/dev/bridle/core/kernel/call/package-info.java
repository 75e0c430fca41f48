/**
 * What every gRPC call passes before its service: authentication, validation, error mapping, and
 * what of the content in its response the caller may see.
 */
package dev.bridle.core.kernel.call;
