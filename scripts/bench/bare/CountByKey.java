// A projection by Kafka Streams: counts the events of each key, exactly once, in a store of its own and the topic that
// keeps it. Prints a line when it has read the first event, and one when all of them are committed.
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;

public class CountByKey {
  private static final long POLL_MS = 100;

  /** Arguments: brokers, topic, number of events, folder. */
  public static void main(String[] args) throws Exception {
    // Each run has a folder of its own, and so it begins from the first event.
    String application = Path.of(args[3]).getFileName().toString();
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, args[3]);
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
    settings.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    settings.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    settings.put("auto.offset.reset", "earliest");
    AtomicLong read = new AtomicLong();
    StreamsBuilder builder = new StreamsBuilder();
    builder.<String, String>stream(args[1])
        .peek((key, event) -> {
          if (read.getAndIncrement() == 0) System.out.println("Counting");
        })
        .groupByKey()
        .count();
    KafkaStreams streams = new KafkaStreams(builder.build(), settings);
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.start();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
      while (committed(admin, application) < Long.parseLong(args[2])) Thread.sleep(POLL_MS);
    }
    System.out.println("Counted");
  }

  /** Returns how many records are before the committed offsets. */
  private static long committed(Admin admin, String group) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> offsets =
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    return offsets.values().stream().mapToLong(OffsetAndMetadata::offset).sum();
  }
}
