package dev.berth.extender.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.junit.jupiter.api.Test;

class AddressesTest {
  private static final long SECOND = 1_000_000_000L;

  private final Addresses addresses = new Addresses();

  private static EndPoint from(String address) {
    return new ByteArrayEndPoint() {
      @Override
      public SocketAddress getRemoteSocketAddress() {
        return new InetSocketAddress(address, 40_000);
      }
    };
  }

  private int asked(String address, long now) {
    int asked = 0;
    while (addresses.mayAsk(from(address), now)) {
      asked++;
    }
    return asked;
  }

  private int connected(String address, long now) {
    int connected = 0;
    while (connected < 10_000 && addresses.mayConnect(from(address), now)) {
      connected++;
    }
    return connected;
  }

  @Test
  void clientsOfAnAddressShareTheirBounds() {
    assertThat(asked("10.0.0.1", 0)).isEqualTo(1000);
    assertThat(asked("10.0.0.1", SECOND)).isEqualTo(200);
    assertThat(connected("10.0.0.1", SECOND)).isEqualTo(200);
    assertThat(connected("10.0.0.1", 2 * SECOND)).isEqualTo(20);
  }

  @Test
  void whatIsSentCountsOnWhicheverConnection() {
    assertThat(addresses.maySend(from("10.0.0.1"), Addresses.PARTS_AT_ONCE - 1, 0)).isTrue();
    assertThat(addresses.maySend(from("10.0.0.1"), 2, 0)).isFalse();
    assertThat(addresses.maySend(from("10.0.0.2"), 2, 0)).isTrue();
  }

  @Test
  void otherAddressesHaveTheirOwn() {
    assertThat(asked("10.0.0.1", 0)).isEqualTo(1000);
    assertThat(asked("10.0.0.2", 0)).isEqualTo(1000);
  }

  @Test
  void ofIpv6ANetworkIsOne() {
    assertThat(asked("2001:db8::1", 0)).isEqualTo(1000);
    assertThat(asked("2001:db8::2", 0)).isZero();
    assertThat(asked("2001:db8:0:1::1", 0)).isEqualTo(1000);
  }

  @Test
  void kubeSchedulerOpensAsManyConnectionsAsItLikes() {
    addresses.asksVerb(from("10.0.0.1"), 0);
    assertThat(connected("10.0.0.1", 0)).isEqualTo(10_000);
    assertThat(asked("10.0.0.1", 0)).as("what is no verb").isEqualTo(1000);
  }

  @Test
  void theOneLongestUnseenIsForgotten() {
    assertThat(asked("10.0.0.1", 0)).isEqualTo(1000);
    for (int i = 0; i < 4096; i++) {
      addresses.mayAsk(from("10.1." + i / 256 + "." + i % 256), 0);
    }
    assertThat(asked("10.0.0.1", 0)).isEqualTo(1000);
  }
}
