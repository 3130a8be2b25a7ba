"""Seq2seq translation. A whole epoch runs in one tf.function."""
import tensorflow as tf

MAX_LEN = 50
UNITS = 512


def make_table(filename):
    initializer = tf.lookup.TextFileInitializer(
        filename, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
    return tf.lookup.StaticHashTable(initializer, default_value=3)


source_table = make_table('nmt/vocab.en')
target_table = make_table('nmt/vocab.vi')


def tokens(table, sentence):
    words = tf.strings.split(tf.strings.regex_replace(tf.strings.lower(sentence), "([?.!,'])", r' \1 '))
    return tf.concat([[1], table.lookup(words), [2]], axis=0)


def encode(english, vietnamese):
    return tokens(source_table, english), tokens(target_table, vietnamese)


def fits(source, target):
    return tf.logical_and(tf.size(source) <= MAX_LEN, tf.size(target) <= MAX_LEN)


def load_pairs(english, vietnamese, batch_size):
    pairs = tf.data.Dataset.zip((tf.data.TextLineDataset(english), tf.data.TextLineDataset(vietnamese)))
    pairs = pairs.shuffle(20000)
    pairs = pairs.map(encode)
    pairs = pairs.filter(fits)
    return pairs.padded_batch(batch_size, ([None], [None]), drop_remainder=True)


class Seq2Seq(tf.keras.Model):
    def __init__(self, source_size, target_size):
        super(Seq2Seq, self).__init__()
        self.source_embedding = tf.keras.layers.Embedding(source_size, 256, mask_zero=True)
        self.target_embedding = tf.keras.layers.Embedding(target_size, 256, mask_zero=True)
        self.encoder = tf.keras.layers.GRU(UNITS, return_state=True)
        self.decoder = tf.keras.layers.GRU(UNITS, return_sequences=True)
        self.output_layer = tf.keras.layers.Dense(target_size)

    def call(self, source, target, training=False):
        _, state = self.encoder(self.source_embedding(source), training=training)
        return self.output_layer(self.decoder(self.target_embedding(target), initial_state=state, training=training))


model = Seq2Seq(20000, 10000)
model(tf.zeros([1, 4], tf.int64), tf.zeros([1, 4], tf.int64))  # makes the variables
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def train_epoch(batches):
    total, count = 0.0, 0.0
    for source, target in batches:
        with tf.GradientTape() as tape:
            logits = model(source, target[:, :-1], training=True)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(target[:, 1:], logits)
            mask = tf.cast(tf.not_equal(target[:, 1:], 0), tf.float32)
            loss = tf.reduce_sum(losses * mask) / tf.reduce_sum(mask)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        total += loss
        count += 1.0
    return total / count


dataset = load_pairs('nmt/train.en', 'nmt/train.vi', 64)
for epoch in range(12):
    print('Epoch', epoch + 1, 'loss', train_epoch(dataset).numpy())
    model.save_weights('nmt/model/weights')
