# %% [markdown]
# # Bird calls: mel features from field recordings

# %%
import pathlib
import random

import tensorflow as tf

CLIPS = sorted(map(str, pathlib.Path("/data/birdclef/train_audio_wav").rglob("*.wav")))
random.Random(5).shuffle(CLIPS)
SPECIES = sorted({pathlib.Path(c).parent.name for c in CLIPS})
table = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(SPECIES, list(range(len(SPECIES)))), default_value=-1)
print(len(CLIPS), "clips of", len(SPECIES), "species")

# %%
def load(path):
    wav, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=160_000)
    species = tf.strings.split(path, "/")[-2]
    return tf.squeeze(wav, -1), table.lookup(species)

def mel(wav, label):
    stft = tf.signal.stft(wav, frame_length=2048, frame_step=512)
    weights = tf.signal.linear_to_mel_weight_matrix(128, 1025, 32_000, 50.0, 14_000.0)
    return tf.matmul(tf.abs(stft) ** 2, weights), label

def pcen_like(spec, label):
    smooth = tf.signal.frame(spec, 8, 1, pad_end=True, axis=0)
    smooth = tf.reduce_mean(smooth, axis=1)
    out = (spec / (1e-6 + smooth) ** 0.98 + 2.0) ** 0.5 - 2.0 ** 0.5
    return tf.image.resize(out[..., None], [256, 128]), label

# %%
def features(clips, name):
    ds = tf.data.Dataset.from_tensor_slices(clips)
    for stage in (load, mel, pcen_like):
        ds = ds.map(stage)
    return ds.cache(f"/scratch/birdclef_{name}")

train = features(CLIPS[3000:], "train").shuffle(4000).batch(64).prefetch(tf.data.AUTOTUNE)
held_out = features(CLIPS[:3000], "held_out").batch(64).prefetch(tf.data.AUTOTUNE)

# %%
net = tf.keras.Sequential([
    tf.keras.Input([256, 128, 1]),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(128, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(len(SPECIES), activation="softmax"),
])
net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
net.fit(train, validation_data=held_out, epochs=30)
