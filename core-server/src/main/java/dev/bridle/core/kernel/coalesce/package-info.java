/** Work that is scheduled from many threads and run by one at a time. */
package dev.bridle.core.kernel.coalesce;
