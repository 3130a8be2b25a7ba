import tensorflow as tf

VOCAB_FILE = 'data/reviews/vocab.txt'
TRAIN_FILE = 'data/reviews/train.tsv'
VALID_FILE = 'data/reviews/valid.tsv'
OOV_BUCKETS = 100
MAX_TOKENS = 256

table = tf.lookup.StaticVocabularyTable(
    tf.lookup.TextFileInitializer(
        VOCAB_FILE,
        key_dtype=tf.string, key_index=tf.lookup.TextFileIndex.WHOLE_LINE,
        value_dtype=tf.int64, value_index=tf.lookup.TextFileIndex.LINE_NUMBER),
    OOV_BUCKETS)


def encode(line):
    fields = tf.strings.split(line, '\t')
    text = tf.strings.lower(fields[1])
    text = tf.strings.regex_replace(text, '<br />', ' ')
    text = tf.strings.regex_replace(text, "[^a-z0-9' ]", ' ')
    ids = table.lookup(tf.strings.split(text))[:MAX_TOKENS]
    label = tf.strings.to_number(fields[0], tf.int32)
    return ids + 1, label


def reviews(filename, batch_size, training=False):
    dataset = tf.data.TextLineDataset(filename)
    if training:
        dataset = dataset.shuffle(20000)
    dataset = dataset.map(encode)
    return dataset.padded_batch(batch_size, padded_shapes=([None], []))


train = reviews(TRAIN_FILE, 64, training=True)
valid = reviews(VALID_FILE, 128)

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(int(table.size()) + 1, 64, mask_zero=True),
    tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(64)),
    tf.keras.layers.Dense(64, activation='relu'),
    tf.keras.layers.Dense(1)])
model.compile(
    loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
    optimizer=tf.keras.optimizers.Adam(1e-4),
    metrics=['accuracy'])
model.fit(train, epochs=10, validation_data=valid)
loss, accuracy = model.evaluate(valid)
print('Loss: {:.3f}, accuracy: {:.3f}'.format(loss, accuracy))
