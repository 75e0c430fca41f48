package dev.bridle.storage.embedded;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WALRecoveryMode;

/** RocksDB's settings for one store, with the native objects that they need. */
final class DatabaseConfig implements AutoCloseable {
  private static final int MAX_OPEN_FILES = 512;
  private static final int BLOOM_BITS = 10;
  private static final double MEMTABLE_FILTER_RATIO = 0.05;
  private static final int CACHE_SHARD_BITS = 3;
  private static final int METADATA_BLOCK_BYTES = 4096;

  private final Cache cache;
  private final BloomFilter filter = new BloomFilter(BLOOM_BITS);
  private final Options options;

  DatabaseConfig(EmbeddedOptions embedded) {
    cache = new LRUCache(embedded.blockCacheBytes(), CACHE_SHARD_BITS);
    options =
        new Options()
            .setCreateIfMissing(true)
            .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
            .setWriteBufferSize(embedded.writeBufferBytes())
            .setMaxWriteBufferNumber(2)
            .setMaxTotalWalSize(4 * embedded.writeBufferBytes())
            // About what the files have that are merged into it: each merge writes the first level
            // anew, and RocksDB's own 256 MiB are ten times as much.
            .setMaxBytesForLevelBase(2 * embedded.writeBufferBytes())
            .setTargetFileSizeBase(embedded.writeBufferBytes() / 2)
            .setTargetFileSizeMultiplier(2)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setFilterPolicy(filter)
                    // Partitioned: the whole filter of a large file would not fit into a cache
                    // shard, and every lookup would read it again.
                    .setIndexType(IndexType.kTwoLevelIndexSearch)
                    .setPartitionFilters(true)
                    .setMetadataBlockSize(METADATA_BLOCK_BYTES)
                    .setCacheIndexAndFilterBlocks(true)
                    .setPinTopLevelIndexAndFilter(true)
                    .setPinL0FilterAndIndexBlocksInCache(true))
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setMaxOpenFiles(MAX_OPEN_FILES)
            .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
            .setKeepLogFileNum(2);
    // Most keys that are read are not in the memtable; this avoids searching it.
    options.setMemtablePrefixBloomSizeRatio(MEMTABLE_FILTER_RATIO);
    options.setMemtableWholeKeyFiltering(true);
    options.setSkipStatsUpdateOnDbOpen(true);
    options.setStatsDumpPeriodSec(0);
    options.setStatsPersistPeriodSec(0);
    // A failed sync must never be retried: the kernel may have dropped the pages.
    options.setMaxBgErrorResumeCount(0);
  }

  Options options() {
    return options;
  }

  @Override
  public void close() {
    options.close();
    filter.close();
    cache.close();
  }
}
