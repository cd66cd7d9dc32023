package dev.berth.engine.format;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/// Numbers, texts and times.
enum PlainShape implements ValueShape {
  FLAG {
    @Override
    public void write(Object value, ValueOutput out) {
      out.count((Boolean) value ? 1 : 0);
    }

    @Override
    public Object read(ValueInput in) throws FormatException {
      return in.index(2) == 1;
    }
  },
  INT {
    @Override
    public void write(Object value, ValueOutput out) {
      out.number((Integer) value);
    }

    @Override
    public Object read(ValueInput in) throws FormatException {
      long value = in.number();
      if (value != (int) value) {
        throw new FormatException(value + " is too large a number");
      }
      return (int) value;
    }
  },
  LONG {
    @Override
    public void write(Object value, ValueOutput out) {
      out.number((Long) value);
    }

    @Override
    public Object read(ValueInput in) throws FormatException {
      return in.number();
    }
  },
  REAL {
    @Override
    public void write(Object value, ValueOutput out) {
      out.real((Double) value);
    }

    @Override
    public Object read(ValueInput in) throws FormatException {
      return in.real();
    }
  },
  TEXT {
    @Override
    public void write(Object value, ValueOutput out) {
      out.text((String) value);
    }

    @Override
    public Object read(ValueInput in) throws FormatException {
      return in.text();
    }
  },
  /// Seconds and nanoseconds.
  TIME {
    @Override
    public void write(Object value, ValueOutput out) {
      var time = (Instant) value;
      out.number(time.getEpochSecond());
      out.count(time.getNano());
    }

    @Override
    public Object read(ValueInput in) throws FormatException {
      try {
        return Instant.ofEpochSecond(in.number(), in.index(NANOS));
      } catch (DateTimeException | ArithmeticException noTime) {
        throw new FormatException("there is no such time", noTime);
      }
    }
  },
  /// The same.
  DURATION {
    @Override
    public void write(Object value, ValueOutput out) {
      var duration = (Duration) value;
      out.number(duration.getSeconds());
      out.count(duration.getNano());
    }

    @Override
    public Object read(ValueInput in) throws FormatException {
      return Duration.ofSeconds(in.number(), in.index(NANOS));
    }
  };

  private static final int NANOS = 1_000_000_000;
}
