import argparse
import os

import tensorflow as tf


def callbacks(args):
    result = [tf.keras.callbacks.ModelCheckpoint(
        os.path.join(args.workdir, "best.keras"), save_best_only=True)]
    if args.profile:
        window = (args.profile_start, args.profile_start + 4)
        result.append(tf.keras.callbacks.TensorBoard(
            log_dir=args.workdir, profile_batch=window, update_freq=200))
    return result


def data(root, split):
    ds = tf.keras.utils.image_dataset_from_directory(
        os.path.join(root, split), image_size=(224, 224), batch_size=64,
        shuffle=split == "train")
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("root")
    ap.add_argument("--workdir", default="/tmp/run")
    ap.add_argument("--profile", action="store_true")
    ap.add_argument("--profile-start", type=int, default=500)
    args = ap.parse_args()
    model = tf.keras.applications.EfficientNetB0(weights=None, classes=101)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(data(args.root, "train"), validation_data=data(args.root, "val"),
              epochs=10, callbacks=callbacks(args))


if __name__ == "__main__":
    main()
