/** What every gRPC call passes before its service: authentication, validation, error mapping. */
package dev.bridle.core.kernel.call;
