# coding: utf-8
# # LibriSpeech CTC baseline  (exported from train_ctc.ipynb)

# In[1]:
import csv
import tensorflow as tf

MANIFEST = "/data/librispeech/train-clean-360.tsv"
VOCAB = tf.keras.layers.StringLookup if hasattr(tf.keras.layers, "StringLookup") else \
    tf.keras.layers.experimental.preprocessing.StringLookup
char_ids = VOCAB(vocabulary=list(" 'abcdefghijklmnopqrstuvwxyz"), mask_token=None)

# In[2]:
with open(MANIFEST) as f:
    rows = list(csv.DictReader(f, delimiter="\t"))
wavs = [r["wav"] for r in rows]
texts = [r["text"].lower() for r in rows]
len(wavs)

# In[3]:
def featurize(path, text):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
    # dithering, as Kaldi does
    audio = audio[:, 0] + tf.random.normal(tf.shape(audio)[:1], stddev=1e-5)
    spec = tf.abs(tf.signal.stft(audio, 400, 160, fft_length=512))
    mel = tf.signal.linear_to_mel_weight_matrix(80, 257, 16000, 60.0, 7600.0)
    return tf.math.log(spec @ mel + 1e-6), char_ids(tf.strings.unicode_split(text, "UTF-8"))

# In[4]:
train = tf.data.Dataset.from_tensor_slices((wavs, texts))
train = train.shuffle(len(wavs)).map(featurize, num_parallel_calls=tf.data.AUTOTUNE)
train = train.apply(
    tf.data.experimental.bucket_by_sequence_length(
        lambda mel, ids: tf.shape(mel)[0],
        bucket_boundaries=[400, 800, 1200, 1600],
        bucket_batch_sizes=[64, 32, 24, 16, 8],
    )
)

# In[5]:
inp = tf.keras.Input([None, 80])
h = tf.keras.layers.Conv1D(512, 5, strides=2, padding="same", activation="relu")(inp)
for _ in range(4):
    h = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(512, return_sequences=True))(h)
model = tf.keras.Model(inp, tf.keras.layers.Dense(char_ids.vocabulary_size() + 1)(h))

def ctc(y_true, logits):
    n = tf.reduce_sum(tf.cast(y_true > 0, tf.int32), 1)
    t = tf.fill([tf.shape(logits)[0]], tf.shape(logits)[1])
    return tf.nn.ctc_loss(tf.cast(y_true, tf.int32), logits, n, t, logits_time_major=False, blank_index=-1)

model.compile(tf.keras.optimizers.Adam(3e-4), ctc)

# In[6]:
history = model.fit(train, epochs=25)
