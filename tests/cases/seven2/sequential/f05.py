from tensorflow import data as tfd
import tensorflow as tf

D = tfd.Dataset


def load_pair(lr_path, hr_path):
    lr = tf.io.decode_png(tf.io.read_file(lr_path), channels=3)
    hr = tf.io.decode_png(tf.io.read_file(hr_path), channels=3)
    lr = tf.ensure_shape(lr[:96, :96], (96, 96, 3))
    hr = tf.ensure_shape(hr[:384, :384], (384, 384, 3))
    return tf.cast(lr, tf.float32) / 255.0, tf.cast(hr, tf.float32) / 255.0


lr_files = sorted(tf.io.gfile.glob("/data/div2k/lr/*.png"))
hr_files = sorted(tf.io.gfile.glob("/data/div2k/hr/*.png"))
pairs = D.shuffle(D.from_tensor_slices((lr_files, hr_files)), len(lr_files))
images = D.map(pairs, load_pair)
train = D.prefetch(D.batch(images, 16), tfd.AUTOTUNE)

inp = tf.keras.Input((96, 96, 3))
x = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(inp)
x = tf.keras.layers.Conv2D(48, 3, padding="same")(x)
out = tf.keras.layers.Lambda(lambda t: tf.nn.depth_to_space(t, 4))(x)
model = tf.keras.Model(inp, out)
model.compile("adam", "mae")
model.fit(train, epochs=300)
