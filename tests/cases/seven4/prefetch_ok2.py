# %%
import tensorflow as tf
import tensorflow_datasets as tfds

FRAMES, SIDE, BATCH = 16, 112, 16


# %%
def prepare(example):
    count = tf.shape(example["video"])[0]
    picks = tf.cast(tf.linspace(0.0, tf.cast(count - 1, tf.float32), FRAMES), tf.int32)
    clip = tf.gather(example["video"], picks)
    return tf.image.resize(clip, (SIDE, SIDE)) / 255.0, example["label"]


def ahead(*datasets, depth=tf.data.AUTOTUNE):
    for dataset in datasets:
        yield dataset.prefetch(depth)


def split(name):
    ds = tfds.load("ucf101", split=name, shuffle_files=name == "train")
    if name == "train":
        ds = ds.shuffle(256)
    return ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).batch(BATCH, drop_remainder=True)


# %%
train, test = ahead(split("train"), split("test"))

# %%
model = tf.keras.Sequential([tf.keras.Input((FRAMES, SIDE, SIDE, 3))])
for width in (32, 64, 128):
    model.add(tf.keras.layers.Conv3D(width, 3, activation="relu", padding="same"))
    model.add(tf.keras.layers.MaxPooling3D((1, 2, 2)))
model.add(tf.keras.layers.GlobalAveragePooling3D())
model.add(tf.keras.layers.Dense(101))
optimizer = tf.keras.optimizers.SGD(0.01, momentum=0.9)


# %%
@tf.function
def step(clips, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(clips, training=True)))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for epoch in range(45):
    for clips, labels in train:
        loss = step(clips, labels)
    hits = [tf.reduce_mean(tf.cast(tf.argmax(model(c), -1) == y, tf.float32)) for c, y in test]
    print(epoch, float(loss), float(tf.reduce_mean(hits)))
