import tensorflow as tf

FRAMES = 16


def frames_of(folder):
    files = tf.data.Dataset.list_files(tf.strings.join([folder, "/*.jpg"]), shuffle=False)
    return files.batch(FRAMES, drop_remainder=True)


def decode(paths):
    read = lambda p: tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(p), 3), (112, 112))
    clip = tf.map_fn(read, paths, fn_output_signature=tf.float32)
    return tf.ensure_shape(clip / 255.0, (FRAMES, 112, 112, 3))


def future(clip):
    return clip[: FRAMES // 2], clip[FRAMES // 2 :]


def build(root, batch_size):
    folders = tf.data.Dataset.list_files(f"{root}/*")
    clips = folders.interleave(frames_of, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
    clips = clips.shuffle(20_000)
    clips = clips.map(decode, num_parallel_calls=tf.data.AUTOTUNE).map(future)
    return clips.batch(batch_size).prefetch(tf.data.AUTOTUNE)


inputs = tf.keras.Input((FRAMES // 2, 112, 112, 3))
h = tf.keras.layers.ConvLSTM2D(32, 3, padding="same", return_sequences=True)(inputs)
outputs = tf.keras.layers.Conv3D(3, 3, padding="same", activation="sigmoid")(h)
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "mae")
model.fit(build("/data/bair/train", 8), epochs=25)
