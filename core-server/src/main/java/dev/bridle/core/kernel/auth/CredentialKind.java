package dev.bridle.core.kernel.auth;

import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.CredentialRecord;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The differences between API keys and OAuth clients.
 *
 * @param record how one is stored
 * @param idPrefix what its ids begin with
 * @param secretPrefix what its secrets begin with
 * @param toRecord returns the record of a credential
 * @param toCredential returns the credential of a record
 * @param setId names a credential in what is found by the hash of its secret
 * @param id returns the id that {@code setId} set; empty where it is of another kind
 * @param <M> the record
 */
public record CredentialKind<M extends MessageLite>(
    RecordDef<M> record,
    String idPrefix,
    String secretPrefix,
    Function<StoredCredential, M> toRecord,
    Function<M, StoredCredential> toCredential,
    BiConsumer<CredentialRecord.Builder, String> setId,
    Function<CredentialRecord, String> id) {}
