import click
import keras
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def lines_of(pattern, readers, block):
    return (
        tf.data.Dataset
        .list_files(pattern, shuffle=True)
        .repeat()
        .interleave(
            lambda name: tf.data.TextLineDataset(name, compression_type="GZIP", buffer_size=8 << 20).skip(1),
            cycle_length=readers,
            block_length=block,
        )
    )


def language_model(vocabulary, width, length):
    ids = keras.Input((length,), dtype="int64")
    x = keras.layers.Embedding(vocabulary, width)(ids)
    for _ in range(3):
        x = keras.layers.LSTM(width, return_sequences=True)(x)
    return keras.Model(ids, keras.layers.Dense(vocabulary)(x))


@click.command()
@click.option("--pattern", default="/data/c4/en/*.txt.gz")
@click.option("--readers", default=32)
@click.option("--block", default=16)
@click.option("--length", default=256)
@click.option("--vocab-file", type=click.Path(exists=True), required=True)
@click.option("--steps", default=1_000_000)
def train(pattern, readers, block, length, vocab_file, steps):
    vectorise = keras.layers.TextVectorization(
        output_mode="int", output_sequence_length=length + 1, vocabulary=vocab_file)

    def shift(batch):
        ids = vectorise(batch)
        return ids[:, :-1], ids[:, 1:]

    ds = lines_of(pattern, readers, block).shuffle(50_000).batch(64, drop_remainder=True)
    ds = ds.map(shift, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)

    model = language_model(vectorise.vocabulary_size(), 512, length)
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ds, steps_per_epoch=10_000, epochs=steps // 10_000)


if __name__ == "__main__":
    train()
