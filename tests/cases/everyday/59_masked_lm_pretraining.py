"""Masked language model pretraining on records that were tokenised and masked beforehand."""
import time

import ml_collections
import tensorflow as tf


def get_config():
    config = ml_collections.ConfigDict()
    config.pattern = "gs://corpora/wiki/masked-*.tfrecord"
    config.seq_len = 128
    config.max_predictions = 20
    config.vocab_size = 30522
    config.batch_size = 64
    config.steps = 100_000
    config.learning_rate = 1e-4
    config.workdir = "gs://experiments/mlm"
    return config


def decode(records, config):
    spec = {
        "input_ids": tf.io.FixedLenFeature([config.seq_len], tf.int64),
        "positions": tf.io.FixedLenFeature([config.max_predictions], tf.int64),
        "targets": tf.io.FixedLenFeature([config.max_predictions], tf.int64),
        "weights": tf.io.FixedLenFeature([config.max_predictions], tf.float32),
    }
    batch = tf.io.parse_example(records, spec)
    return {name: tf.cast(value, tf.int32) if value.dtype == tf.int64 else value for name, value in batch.items()}


def create_input(config):
    files = tf.data.Dataset.list_files(config.pattern)
    ds = files.interleave(lambda f: tf.data.TFRecordDataset(f, buffer_size=4 * 1024 * 1024), cycle_length=16)
    ds = ds.shuffle(100_000).repeat()
    ds = ds.batch(config.batch_size, drop_remainder=True)
    return ds.map(lambda records: decode(records, config), num_parallel_calls=tf.data.AUTOTUNE).prefetch(4)


def create_model(config):
    ids = tf.keras.Input([config.seq_len], dtype=tf.int32)
    x = tf.keras.layers.Embedding(config.vocab_size, 256)(ids)
    for _ in range(4):
        attended = tf.keras.layers.MultiHeadAttention(4, 64)(x, x)
        x = tf.keras.layers.LayerNormalization()(x + attended)
        hidden = tf.keras.layers.Dense(1024, activation="gelu")(x)
        x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.Dense(256)(hidden))
    return tf.keras.Model(ids, tf.keras.layers.Dense(config.vocab_size)(x))


def main():
    config = get_config()
    model = create_model(config)
    optimizer = tf.keras.optimizers.Adam(config.learning_rate)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(model=model), config.workdir, max_to_keep=2)

    @tf.function
    def train_step(batch):
        with tf.GradientTape() as tape:
            logits = tf.gather(model(batch["input_ids"], training=True), batch["positions"], batch_dims=1)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(batch["targets"], logits)
            loss = tf.math.divide_no_nan(tf.reduce_sum(losses * batch["weights"]), tf.reduce_sum(batch["weights"]))
        gradients = tape.gradient(loss, model.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    start = time.time()
    for step, batch in enumerate(create_input(config).take(config.steps), 1):
        loss = train_step(batch)
        if step % 1000 == 0:
            print(f"{step}: {float(loss):.4f} ({step / (time.time() - start):.1f} steps/s) {manager.save()}")


if __name__ == "__main__":
    main()
