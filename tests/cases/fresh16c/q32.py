"""Chest X-ray pneumonia classifier (notebook export)."""
# %%
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
IMG = 180
BATCH = 32
GCS = "/kaggle/input/chest-xray-pneumonia/chest_xray"

# %%
train_files = tf.io.gfile.glob(GCS + "/train/*/*.jpeg")
val_files = tf.io.gfile.glob(GCS + "/val/*/*.jpeg")
n_pos = sum("PNEUMONIA" in f for f in train_files)
n_neg = len(train_files) - n_pos
class_weight = {0: len(train_files) / 2 / n_neg, 1: len(train_files) / 2 / n_pos}


# %%
def get_label(path):
    return tf.strings.split(path, "/")[-2] == "PNEUMONIA"


def process(path):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=1)
    img = tf.image.resize(img, [IMG, IMG]) / 255.0
    return img, tf.cast(get_label(path), tf.float32)


def prepare_for_training(files, shuffle_buffer=6000):
    ds = tf.data.Dataset.from_tensor_slices(files)
    ds.shuffle(shuffle_buffer)
    ds = ds.map(process, num_parallel_calls=AUTO)
    ds = ds.batch(BATCH)
    ds = ds.prefetch(AUTO)
    return ds


# %%
train_ds = prepare_for_training(train_files)
val_ds = tf.data.Dataset.from_tensor_slices(val_files).map(process, num_parallel_calls=AUTO).batch(BATCH).prefetch(AUTO)


# %%
def conv_block(filters):
    return tf.keras.Sequential([
        tf.keras.layers.SeparableConv2D(filters, 3, activation="relu", padding="same"),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.MaxPool2D(),
    ])


model = tf.keras.Sequential([tf.keras.Input((IMG, IMG, 1))]
                            + [conv_block(f) for f in (16, 32, 64, 128)]
                            + [tf.keras.layers.GlobalAveragePooling2D(),
                               tf.keras.layers.Dropout(0.3),
                               tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])

# %%
model.fit(train_ds, epochs=15, validation_data=val_ds, class_weight=class_weight)
