"""Food-101 transfer learning. Same reader for both splits."""
import ml_collections
import tensorflow as tf
import tensorflow_datasets as tfds


def get_config():
    c = ml_collections.ConfigDict()
    c.batch = 64
    c.size = 224
    c.epochs = 12
    c.train_images = 75750
    return c


def prep(size):
    def fn(ex):
        return tf.image.resize(ex["image"], (size, size)), ex["label"]
    return fn


def reader(cfg, split):
    training = split == "train"
    ds = tfds.load("food101", split=split, shuffle_files=training)
    if training:
        ds = ds.shuffle(5000)
    ds = ds.repeat()
    ds = ds.map(prep(cfg.size), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(cfg.batch, drop_remainder=training)
    return ds.prefetch(tf.data.AUTOTUNE)


def build_model(cfg):
    base = tf.keras.applications.EfficientNetV2B0(
        include_top=False, pooling="avg", input_shape=(cfg.size, cfg.size, 3))
    base.trainable = False
    x = tf.keras.layers.Dropout(0.3)(base.output)
    return tf.keras.Model(base.input, tf.keras.layers.Dense(101, activation="softmax")(x))


def run(cfg):
    data = {s: reader(cfg, s) for s in ("train", "validation")}
    model = build_model(cfg)
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy",
                  metrics=["accuracy"])
    history = model.fit(
        data["train"],
        steps_per_epoch=cfg.train_images // cfg.batch,
        validation_data=data["validation"],
        epochs=cfg.epochs,
        callbacks=[tf.keras.callbacks.EarlyStopping("val_accuracy", patience=3)],
    )
    print(max(history.history["val_accuracy"]))


if __name__ == "__main__":
    run(get_config())
