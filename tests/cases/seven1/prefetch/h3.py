import keras

train_ds = keras.utils.image_dataset_from_directory(
    "/data/birds/train", image_size=(224, 224), batch_size=64, label_mode="categorical")
val_ds = keras.utils.image_dataset_from_directory(
    "/data/birds/val", image_size=(224, 224), batch_size=64, label_mode="categorical", shuffle=False)

model = keras.Sequential([
    keras.layers.RandomFlip("horizontal"),
    keras.layers.Rescaling(1 / 127.5, offset=-1),
    keras.applications.MobileNetV2(include_top=False, pooling="avg", weights="imagenet"),
    keras.layers.Dense(200, activation="softmax"),
])
model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
model.fit(train_ds, validation_data=val_ds, epochs=10)
