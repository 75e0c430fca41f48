/** Work that is scheduled from many threads and run by one at a time, and work that is repeated. */
package dev.bridle.core.kernel.coalesce;
