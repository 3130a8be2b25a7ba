# %%
import pandas as pd
import tensorflow as tf

frame = pd.read_csv("/data/melanoma/train.csv")
train_df = frame.sample(frac=0.8, random_state=7)
val_df = frame.drop(train_df.index)


# %%
def to_dataset(df):
    files = ("/data/melanoma/jpeg/" + df["image_name"] + ".jpg").values
    return tf.data.Dataset.from_tensor_slices((files, df["target"].values))


train = to_dataset(train_df).cache()
val = to_dataset(val_df).cache()


# %%
def decode(fname, y):
    img = tf.io.decode_jpeg(tf.io.read_file(fname), channels=3)
    img = tf.image.central_crop(img, 0.8)
    return tf.image.resize(img, (384, 384)), y


train = train.shuffle(len(train_df)).map(decode, num_parallel_calls=tf.data.AUTOTUNE)
val = val.map(decode, num_parallel_calls=tf.data.AUTOTUNE)

# %%
model = tf.keras.Sequential([
    tf.keras.applications.EfficientNetV2S(include_top=False, pooling="avg", input_shape=(384, 384, 3)),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
model.fit(train.batch(16).prefetch(tf.data.AUTOTUNE),
          validation_data=val.batch(16).prefetch(tf.data.AUTOTUNE), epochs=12)
