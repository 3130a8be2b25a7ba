import os
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
BATCH_SIZE = 16
IMAGE_SIZE = [180, 180]
EPOCHS = 50
ROOT = "/kaggle/input/chest-xray-pneumonia/chest_xray"

filenames = tf.io.gfile.glob(ROOT + "/train/*/*.jpeg")     # 5,216 files
val_filenames = tf.io.gfile.glob(ROOT + "/val/*/*.jpeg")


def get_label(path):
    return tf.strings.split(path, os.path.sep)[-2] == "PNEUMONIA"


def decode_img(img):
    img = tf.image.decode_jpeg(img, channels=3)
    img = tf.image.convert_image_dtype(img, tf.float32)
    return tf.image.resize(img, IMAGE_SIZE)


def process_path(path):
    label = get_label(path)
    return decode_img(tf.io.read_file(path)), label


def prepare_for_training(paths, shuffle_buffer_size=6000):
    ds = tf.data.Dataset.from_tensor_slices(paths)
    ds = ds.cache()
    ds = ds.shuffle(shuffle_buffer_size)
    ds = ds.map(process_path, num_parallel_calls=AUTOTUNE)
    ds = ds.batch(BATCH_SIZE)
    return ds.prefetch(AUTOTUNE)


def conv_block(filters):
    return tf.keras.Sequential([
        tf.keras.layers.SeparableConv2D(filters, 3, activation="relu", padding="same"),
        tf.keras.layers.SeparableConv2D(filters, 3, activation="relu", padding="same"),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.MaxPool2D(),
    ])


model = tf.keras.Sequential([
    tf.keras.Input((*IMAGE_SIZE, 3)),
    conv_block(32), conv_block(64), conv_block(128), conv_block(256),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dropout(0.3),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(prepare_for_training(filenames), epochs=EPOCHS,
          validation_data=prepare_for_training(val_filenames))
