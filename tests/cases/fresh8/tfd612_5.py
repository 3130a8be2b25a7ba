import tensorflow as tf
import tensorflow_datasets as tfds


class Captioner(tf.keras.Model):
    def __init__(self, vocab, units=512):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(vocab, 256)
        self.project = tf.keras.layers.Dense(units, activation="relu")
        self.rnn = tf.keras.layers.GRU(units, return_sequences=True)
        self.out = tf.keras.layers.Dense(vocab)

    def call(self, inputs):
        features, tokens = inputs
        state = self.project(features)
        return self.out(self.rnn(self.embed(tokens), initial_state=state))

    @classmethod
    def create(cls, vocab):
        model = cls(vocab)
        model.compile(
            optimizer="adam",
            loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=0),
        )
        # shapes were wrong somewhere in call()
        model.run_eagerly = True
        return model


def to_example(ex):
    return (ex["features"], ex["tokens"][:-1]), ex["tokens"][1:]


builder = tfds.builder_from_directory("/data/coco_features/1.0.0")
train = (
    builder.as_dataset(split="train", shuffle_files=True)
    .shuffle(20_000)
    .map(to_example, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(64, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)

captioner = Captioner.create(vocab=12_000)
captioner.fit(train, epochs=20)
