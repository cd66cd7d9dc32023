package dev.berth.extender.rest;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.OptionalLong;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/// Places in a list as clients hold them until they ask for the next page: encrypted by a key of
/// this process. A place is a number that counts what others have, too, and two of them would tell
/// how much came between. Any thread.
final class SealedPlaces {
  private static final String ONE_BLOCK = "AES/ECB/NoPadding"; // of which each place fills one
  private static final int BLOCK = 16; // bytes
  private static final HexFormat TEXT = HexFormat.of();

  private final SecretKeySpec key;

  SealedPlaces() {
    byte[] random = new byte[BLOCK];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, "AES");
  }

  String seal(long place) {
    return TEXT.formatHex(crypt(Cipher.ENCRYPT_MODE, ByteBuffer.allocate(BLOCK).putLong(place)));
  }

  /// Empty for what was not [sealed][#seal] here.
  OptionalLong open(String sealed) {
    if (sealed.length() != 2 * BLOCK || !sealed.chars().allMatch(HexFormat::isHexDigit)) {
      return OptionalLong.empty();
    }
    var opened =
        ByteBuffer.wrap(crypt(Cipher.DECRYPT_MODE, ByteBuffer.wrap(TEXT.parseHex(sealed))));
    long place = opened.getLong();
    return opened.getLong() == 0 ? OptionalLong.of(place) : OptionalLong.empty();
  }

  private byte[] crypt(int mode, ByteBuffer block) {
    try {
      var cipher = Cipher.getInstance(ONE_BLOCK);
      cipher.init(mode, key);
      return cipher.doFinal(block.array());
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every JDK has " + ONE_BLOCK, missing);
    }
  }
}
