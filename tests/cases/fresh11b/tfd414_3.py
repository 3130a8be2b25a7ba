import tensorflow as tf
import tensorflow_datasets as tfds

FOLDS = 5


def preprocess(image, label):
    return tf.image.resize(image, (128, 128)) / 255.0, label


def fold_splits(k):
    step = 100 // FOLDS
    lo, hi = k * step, (k + 1) * step
    return f"train[:{lo}%]+train[{hi}%:]", f"train[{lo}%:{hi}%]"


def make(split, training):
    ds = tfds.load("food101", split=split, as_supervised=True, shuffle_files=training)
    ds = ds.map(preprocess, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(5000)
    return ds.batch(64).prefetch(tf.data.AUTOTUNE)


def main():
    scores = []
    for k in range(FOLDS):
        train_split, valid_split = fold_splits(k)
        model = tf.keras.applications.EfficientNetV2B0(weights=None, input_shape=(128, 128, 3), classes=101,
                                                       include_preprocessing=False)
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        model.fit(make(train_split, True), epochs=10)
        scores.append(model.evaluate(make(valid_split, False), return_dict=True)["accuracy"])
    print(sum(scores) / FOLDS)


if __name__ == "__main__":
    main()
