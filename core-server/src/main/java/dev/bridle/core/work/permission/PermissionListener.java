package dev.bridle.core.work.permission;

import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.PermissionRequest;

/** Hears of permission requests, in the transaction that changes them. */
public interface PermissionListener {
  /** Hears nothing. */
  PermissionListener NONE =
      new PermissionListener() {
        @Override
        public void changed(TaskChange change, PermissionRequest request) {}

        @Override
        public void closed(TaskChange change, PermissionRequest request) {}
      };

  /** A request was opened, delegated, or answered without being decided by that. */
  void changed(TaskChange change, PermissionRequest request);

  /** A request is no longer pending. */
  void closed(TaskChange change, PermissionRequest request);
}
