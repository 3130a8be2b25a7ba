# Denoising autoencoder for scanned receipts (exported notebook)
import tensorflow as tf

# In[1]
PATCH = 256
scans = tf.io.gfile.glob("/data/receipts/*.png")
print(len(scans), "scans")


# In[2]
def patch(path):
    page = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.random_crop(page, [PATCH, PATCH, 1])


def degrade(clean):
    clean = tf.cast(clean, tf.float32)
    noisy = tf.clip_by_value(clean + tf.random.normal(tf.shape(clean), stddev=20.0), 0.0, 255.0)
    return noisy, clean


def scale(noisy, clean):
    return (tf.image.convert_image_dtype(noisy, tf.float32),
            tf.image.convert_image_dtype(clean, tf.float32))


# In[3]
train = (tf.data.Dataset.from_tensor_slices(scans)
         .shuffle(len(scans))
         .repeat()
         .map(patch, num_parallel_calls=tf.data.AUTOTUNE)
         .map(degrade, num_parallel_calls=tf.data.AUTOTUNE)
         .map(scale, num_parallel_calls=tf.data.AUTOTUNE)
         .batch(32, drop_remainder=True)
         .prefetch(tf.data.AUTOTUNE))

# In[4]
x = inp = tf.keras.Input((PATCH, PATCH, 1))
for f in (32, 64):
    x = tf.keras.layers.Conv2D(f, 3, strides=2, padding="same", activation="relu")(x)
for f in (64, 32):
    x = tf.keras.layers.Conv2DTranspose(f, 3, strides=2, padding="same", activation="relu")(x)
out = tf.keras.layers.Conv2D(1, 3, padding="same", activation="sigmoid")(x)
autoencoder = tf.keras.Model(inp, out)
autoencoder.compile("adam", "mae")

# In[5]
autoencoder.fit(train, steps_per_epoch=2000, epochs=20)
autoencoder.save("/models/receipts.keras")
