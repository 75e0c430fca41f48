package dev.bridle.core.integrations.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.core.integrations.relay.RelayClient;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.harp.pairing.PairingMacs;
import dev.bridle.harp.pairing.PairingOffer;
import dev.bridle.harp.pairing.PairingQr;
import dev.bridle.harp.pairing.PairingTranscript;
import dev.bridle.harp.pairing.Possession;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.permission.v1.ApprovalDevicePairing;
import dev.bridle.permission.v1.ApprovalDevicePairingServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalDevicePairingRequest;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.relay.v1.CompleteRequest;
import dev.bridle.relay.v1.PairingServiceGrpc;
import dev.bridle.relay.v1.ResolveRequest;
import dev.bridle.relay.v1.ResolveResponse;
import java.net.URI;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** A phone that is paired while an agent waits. */
final class LaterPhoneTest extends AskedDevices {
  private static final SecureRandom RANDOM = new SecureRandom();

  @Test
  void itIsAskedWhatWaitsAlready() throws Exception {
    core.core().phonesReach(URI.create("http://127.0.0.1:1"));
    var unused = ask(begin(), "s", "make deploy");

    RelayClient phone = new RelayClient(core.as(paired()));

    await().untilAsserted(() -> assertThat(phone.requests("phone-1")).hasSize(1));
  }

  /** Pairs a phone by its link, and returns its token. */
  private String paired() throws Exception {
    ApprovalDevicePairing pairing =
        ApprovalDevicePairingServiceGrpc.newBlockingStub(core.owner())
            .createApprovalDevicePairing(
                CreateApprovalDevicePairingRequest.newBuilder().setPrincipal("ben").build());
    PairingQr qr = PairingQr.parse(pairing.getUrl().substring(pairing.getUrl().indexOf('#') + 1));
    var open = PairingServiceGrpc.newBlockingStub(core.core().channel());
    ResolveResponse found = open.resolve(ResolveRequest.newBuilder().setNonce(qr.nonce()).build());
    DeviceKeys keys = DeviceKeys.create(RANDOM);
    PairingDevice device =
        PairingDevice.create(keys, "phone-1", JsonNodeFactory.instance.objectNode(), RANDOM);
    PairingTranscript transcript =
        PairingTranscript.of(
            new PairingOffer(
                qr.relay(),
                found.getNonce(),
                found.getOffer().getEnforcerId(),
                found.getOffer().getPublicKey(),
                found.getOffer().getEnforcerLabel(),
                found.getOffer().getWorkspaceName()),
            device);
    return open.complete(
            CompleteRequest.newBuilder()
                .setNonce(qr.nonce())
                .setDevice(
                    dev.bridle.relay.v1.PairingDevice.newBuilder()
                        .setApproverId(device.approverId())
                        .setDeviceId(device.deviceId())
                        .setPublicKey(device.kxPub())
                        .setSigningKey(device.signPub())
                        .setSignerKeyId(device.kid())
                        .setApproverNonce(device.approverNonce())
                        .setPossession(
                            Base64Url.encode(Possession.prove(transcript, keys.signing())))
                        .setMac(
                            Base64Url.encode(PairingMacs.of(qr.secret(), transcript).approver())))
                .build())
        .getDeviceToken();
  }
}
