"""What the pages of TFD4xx say about results, splits, ends, shapes and exceptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import tensorflow as tf
from run import claim, raises

Dataset = tf.data.Dataset
#: Of 100 rows in two random orders more than 12 match with a probability below 1e-9.
CHANCE = 12


def values(ds: tf.data.Dataset) -> list[int]:
    return [int(x) for x in ds.as_numpy_iterator()]


def noting(made: list[int]) -> Callable[[tf.Tensor], tf.Tensor]:
    """A function for `map` that notes what it is given."""

    def note(x: tf.Tensor) -> tf.Tensor:
        made.append(int(x))
        return x

    return lambda x: tf.py_function(note, [x], tf.int64)


def message(work: Callable[[], Any]) -> str:
    """What the exception that some work raises says."""
    try:
        work()
    except Exception as error:
        return str(error)
    return ""


def rows(count: int = 16) -> tf.data.Dataset:
    return Dataset.from_tensor_slices((tf.zeros([count, 4]), tf.zeros([count])))


def model(*layers: Any, **settings: Any) -> Any:
    made = tf.keras.Sequential([*layers, tf.keras.layers.Dense(1)])
    made.compile("sgd", "mse", **settings)
    return made


def is_keras_3() -> bool:
    return hasattr(tf.keras, "ops")


def only_keras_3() -> None:
    """Raises an AttributeError on Keras 2, where a claim is missing then."""
    _ = tf.keras.ops


def steps(ds: tf.data.Dataset, **how: Any) -> list[int]:
    """How many steps each epoch of `fit` has."""
    counts: list[int] = []

    class Count(tf.keras.callbacks.Callback):
        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            counts.append(0)

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            counts[-1] += 1

    model().fit(ds, callbacks=[Count()], verbose=0, **how)
    return counts


@claim("TFD401", "does not change `dataset`; it returns a new dataset")
def a_shuffle_that_nobody_gets_is_lost() -> None:
    dataset = Dataset.range(100)
    returned = dataset.shuffle(1024)
    assert values(dataset) == list(range(100))
    assert values(returned) != list(range(100))


@claim("TFD401", "whether a function can be traced, which `map` does at once")
def map_traces_before_anything_is_read() -> None:
    traced: list[bool] = []
    Dataset.range(4).map(lambda x: (traced.append(True), x)[1])
    assert traced
    assert raises(lambda: Dataset.range(4).map(lambda x: x + "text"))


@claim("TFD402", "options that are not applied do nothing")
def options_take_effect_when_applied() -> None:
    options = tf.data.Options()
    options.threading.private_threadpool_size = 4
    dataset = Dataset.range(3)
    assert dataset.options().threading.private_threadpool_size is None
    assert dataset.with_options(options).options().threading.private_threadpool_size == 4


@claim("TFD402", "changing `dataset.options()` raises a ValueError")
def the_options_of_a_dataset_are_sealed() -> None:
    options = Dataset.range(3).options()
    assert raises(lambda: setattr(options, "deterministic", False)) == "ValueError"
    assert raises(lambda: setattr(options.threading, "private_threadpool_size", 4)) == "ValueError"
    assert not raises(lambda: setattr(tf.data.Options(), "deterministic", False))


@claim(
    "TFD402", "a change after `with_options` is silently ignored, or raises a ValueError in a group that had been set"
)
def options_are_read_when_they_are_applied() -> None:
    options = tf.data.Options()
    options.threading.private_threadpool_size = 4
    dataset = Dataset.range(3).with_options(options)
    options.deterministic = False
    assert dataset.options().deterministic is None
    assert raises(lambda: setattr(options.threading, "private_threadpool_size", 2)) == "ValueError"


@claim("TFD403", "the shuffle buffer, which has to be filled before the first element comes out")
def one_element_fills_the_buffer() -> None:
    made: list[int] = []
    options = tf.data.Options()
    # Else TensorFlow may put a prefetch at the end, which makes more elements in the meantime.
    options.experimental_optimization.inject_prefetch = False
    dataset = Dataset.range(100).map(noting(made)).with_options(options)
    next(iter(dataset))
    assert len(made) == 1
    next(iter(dataset.shuffle(50)))
    assert len(made) > 50


@claim("TFD403", "without a shuffle it is the same first batch in every step")
def a_new_iterator_begins_anew() -> None:
    dataset = Dataset.range(64).batch(8)
    iterator = iter(dataset)
    assert {int(next(iter(dataset))[0]) for _ in range(8)} == {0}
    assert [int(next(iterator)[0]) for _ in range(8)] == list(range(0, 64, 8))


@claim(
    "TFD403", "`StopIteration` when they run out: without the `repeat()` of the first example, after eight of its ten"
)
def one_iterator_runs_out() -> None:
    def taken(dataset: tf.data.Dataset) -> int:
        iterator, count = iter(dataset), 0
        try:
            for _ in range(10):
                next(iterator)
                count += 1
        except StopIteration:
            pass
        return count

    dataset = Dataset.range(64).shuffle(64).batch(8)
    assert taken(dataset) == 8
    assert taken(dataset.repeat()) == 10


def trained_on(epochs: int, **shuffling: Any) -> int:
    """The percentage of the last validation pass, over 20 % of the elements, that some training pass has read."""
    count = 200_000
    train = count * 8 // 10
    dataset = Dataset.range(count).shuffle(count, **shuffling)
    seen = {x for _ in range(epochs) for batch in dataset.take(train).batch(train) for x in batch.numpy().tolist()}
    validated = [x for batch in dataset.skip(train).batch(train) for x in batch.numpy().tolist()]
    return round(100 * sum(x in seen for x in validated) / len(validated))


@claim("TFD404", "76–81 % of the validation examples were also trained on after one epoch")
def a_split_behind_a_shuffle_leaks_at_once() -> None:
    assert 76 <= trained_on(1) <= 81


@claim("TFD404", "96 % after two")
def a_split_behind_a_shuffle_leaks_more_and_more() -> None:
    assert 95 <= trained_on(2) <= 97


@claim("TFD404", "A seed does not help (80 %), because the second iteration has another order than the first")
def a_seed_does_not_stop_the_leak() -> None:
    assert trained_on(1, seed=42) == 80


@claim("TFD404", "With `reshuffle_each_iteration=False` the share is 0 %")
def one_order_does_not_leak() -> None:
    assert trained_on(2, reshuffle_each_iteration=False) == 0


@claim("TFD404", "with `reshuffle_each_iteration=False` training sees the same order in every epoch")
def the_fix_keeps_one_order_and_another_shuffle_mixes_it() -> None:
    train = Dataset.range(100).shuffle(100, reshuffle_each_iteration=False).take(80)
    mixed = train.shuffle(80)
    assert values(train) == values(train)
    assert values(mixed) != values(mixed)
    assert set(values(mixed)) == set(values(train))


@claim("TFD404", 'The validation part of `subset="both"` is not shuffled')
def both_shuffles_the_training_part_alone() -> None:
    photos(folders=1, each=64, shades=True)
    parts = tf.keras.utils.image_dataset_from_directory(
        "photos", labels=None, subset="both", validation_split=0.5, seed=1, image_size=(1, 1)
    )

    def order(part: tf.data.Dataset) -> list[float]:
        return [float(image[0, 0, 0]) for batch in part for image in batch.numpy()]

    train, validation = parts
    assert order(validation) == order(validation)
    assert order(train) != order(train)


@claim(
    "TFD405", "Keras 2 (TensorFlow up to 2.15) raises a ValueError instead, where it knows that the dataset has no end"
)
def keras_2_refuses_an_endless_dataset() -> None:
    class Enough(Exception):
        pass

    class AtOnce(tf.keras.callbacks.Callback):
        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            raise Enough

    endless = rows().batch(4).repeat()
    assert endless.cardinality() == tf.data.INFINITE_CARDINALITY
    ends = raises(lambda: model().fit(endless, callbacks=[AtOnce()], verbose=0))
    assert ends == ("Enough" if is_keras_3() else "ValueError")


@claim("TFD405", "`fit` was still in its first epoch after more than 3,000 batches, `evaluate` after more than 1,000")
def keras_reads_to_an_end_that_never_comes() -> None:
    only_keras_3()

    class Enough(Exception):
        pass

    class Limit(tf.keras.callbacks.Callback):
        def __init__(self, limit: int) -> None:
            super().__init__()
            self.limit = limit
            self.epochs = 0

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            self.epochs += 1

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            if batch >= self.limit:
                raise Enough

        on_test_batch_end = on_train_batch_end

    endless, limit = rows().batch(4).repeat(), Limit(3000)
    assert raises(lambda: model().fit(endless, callbacks=[limit], verbose=0)) == "Enough"
    assert limit.epochs == 0
    limit = Limit(1000)
    assert raises(lambda: model().evaluate(endless, callbacks=[limit], verbose=0)) == "Enough"
    limit = Limit(3000)
    model().fit(rows().batch(4), callbacks=[limit], verbose=0)
    assert limit.epochs == 1


@claim("TFD405", "`len` fails at once, with a TypeError")
def an_endless_dataset_has_no_length() -> None:
    assert raises(lambda: len(Dataset.range(3).repeat())) == "TypeError"
    assert len(Dataset.range(3).repeat(2)) == 6


def started(steps_per_epoch: int | None) -> int:
    """How often three epochs of `fit` start the generator of a dataset."""
    starts = 0

    def generate() -> Iterator[tuple[list[float], float]]:
        nonlocal starts
        starts += 1
        for _ in range(100 if steps_per_epoch else 4):
            yield [0.0] * 4, 0.0

    signature = (tf.TensorSpec([4]), tf.TensorSpec([]))
    dataset = Dataset.from_generator(generate, output_signature=signature).batch(2)
    model(tf.keras.Input((4,))).fit(dataset, epochs=3, steps_per_epoch=steps_per_epoch, verbose=0)
    return starts


@claim("TFD405", "`fit` makes a new iterator for each epoch")
def each_epoch_starts_anew() -> None:
    assert started(None) == 3


@claim("TFD406", "Every file is read and every function runs, for a number that `cardinality()` gives at once")
def a_count_runs_everything() -> None:
    made: list[int] = []
    dataset = Dataset.range(40).map(noting(made))
    assert int(dataset.cardinality()) == 40
    assert not made
    assert sum(1 for _ in dataset) == 40
    assert len(made) == 40


@claim(
    "TFD406", "TensorFlow does not know the number: records, filters, generators, `unbatch`, windows that are flattened"
)
def some_numbers_are_not_known() -> None:
    ten = Dataset.range(10)
    unknown = [
        tf.data.TFRecordDataset(["a"]),
        ten.filter(lambda x: x > 3),
        Dataset.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec([], tf.int32)),
        ten.batch(7).unbatch(),
        ten.window(2).flat_map(lambda window: window.batch(2)),
    ]
    assert {int(dataset.cardinality()) for dataset in unknown} == {tf.data.UNKNOWN_CARDINALITY}
    assert int(ten.batch(7).cardinality()) == 2
    assert int(ten.window(2).cardinality()) == 5


@claim(
    "TFD407",
    "`fit` or `evaluate` with `y`, `sample_weight` or `validation_split` beside a dataset, or with a list of datasets",
)
def keras_refuses_what_belongs_to_arrays() -> None:
    dataset, zeros = rows().batch(4), tf.zeros([16]).numpy()
    assert raises(lambda: model().fit(dataset, y=zeros, verbose=0)) == "ValueError"
    assert raises(lambda: model().evaluate(dataset, sample_weight=zeros, verbose=0)) == "ValueError"
    assert raises(lambda: model().fit(dataset, validation_split=0.25, verbose=0)) == "ValueError"
    assert raises(lambda: model().fit([dataset, dataset], verbose=0)) == "ValueError"
    images = tf.zeros([16, 4]).numpy()
    model().fit(images, y=zeros, sample_weight=zeros, validation_split=0.25, verbose=0)


@claim("TFD407", "`batch_size` beside a dataset, which Keras ignores")
def a_batch_size_beside_a_dataset_is_ignored() -> None:
    assert steps(rows().batch(4), batch_size=16) == [4]
    assert steps(tf.zeros([16, 4]), y=tf.zeros([16]), batch_size=16) == [1]


@claim("TFD407", "data that are not batched: inputs with dimensions, and a target without any")
def examples_are_no_batches() -> None:
    assert raises(lambda: model().fit(rows(), verbose=0)) == "ValueError"
    assert not raises(lambda: model().fit(rows().batch(4), verbose=0))


@claim("TFD407", "`len` of a dataset whose length is unknown, after `filter`, `flat_map`, `TFRecordDataset`")
def an_unknown_length_is_a_type_error() -> None:
    ten = Dataset.range(10)
    assert raises(lambda: len(ten.filter(lambda x: x > 3))) == "TypeError"
    assert raises(lambda: len(ten.flat_map(Dataset.range))) == "TypeError"
    assert raises(lambda: len(tf.data.TFRecordDataset(["a"]))) == "TypeError"
    assert len(ten.map(lambda x: x > 3)) == 10


@claim("TFD407", "items and attributes that no dataset has: `ds[0]`, `ds.shape`")
def a_dataset_is_no_array() -> None:
    dataset = rows()
    assert raises(lambda: dataset[0]) == "TypeError"
    assert raises(lambda: dataset.shape) == "AttributeError"


@claim("TFD407", "`class_names` after the first transformation")
def class_names_stay_behind() -> None:
    photos(folders=2, each=1)
    dataset = tf.keras.utils.image_dataset_from_directory("photos")
    assert dataset.class_names == ["0", "1"]
    assert raises(lambda: dataset.take(1).class_names) == "AttributeError"


@claim("TFD407", "misspelt or misplaced attributes of `tf.data.Options`")
def options_refuse_what_they_do_not_have() -> None:
    policy = tf.data.experimental.AutoShardPolicy.DATA
    options = tf.data.Options()
    assert raises(lambda: setattr(options, "determinstic", False)) == "AttributeError"
    assert raises(lambda: setattr(options, "auto_shard_policy", policy)) == "AttributeError"
    options.deterministic = False
    options.experimental_distribute.auto_shard_policy = policy


@claim("TFD408", "sorted by ten classes, 98 % of the batches of 32 have one class only; after `shuffle(10_000)` none")
def sorted_records_make_batches_of_one_class() -> None:
    classes = Dataset.range(10_000).map(lambda x: x // 1000)

    def share(ds: tf.data.Dataset) -> int:
        alone = [len(set(batch.tolist())) == 1 for batch in ds.batch(32).as_numpy_iterator()]
        return round(100 * sum(alone) / len(alone))

    assert share(classes) == 98
    assert share(classes.shuffle(10_000)) == 0


@claim("TFD408", "the names of the files are shuffled, the records of each file still come in their order")
def shuffled_names_leave_the_records_in_order() -> None:
    for name in "abcd":
        with tf.io.TFRecordWriter(name) as writer:
            for number in range(20):
                writer.write(f"{name}{number:02}")
    names = Dataset.from_tensor_slices(list("abcd")).shuffle(4)

    def ordered(ds: tf.data.Dataset) -> bool:
        records = list(ds.as_numpy_iterator())
        files = [[x for x in records if x.startswith(name)] for name in (b"a", b"b", b"c", b"d")]
        assert [len(file) for file in files] == [20] * 4
        return all(file == sorted(file) for file in files)

    records = names.interleave(tf.data.TFRecordDataset, cycle_length=2)
    assert ordered(records)
    assert not ordered(records.shuffle(80))


def matching(one: Iterable[Any], other: Iterable[Any]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))


@claim("TFD409", "Only 1 of 100 rows matches (measured), with or without a seed")
def labels_of_another_pass_are_those_of_other_rows() -> None:
    numbers = Dataset.range(100)
    for dataset in numbers.shuffle(100), numbers.shuffle(100, seed=1):
        assert matching(values(dataset), values(dataset)) <= CHANCE
        assert matching(values(dataset), values(numbers)) <= CHANCE
    kept = numbers.shuffle(100, reshuffle_each_iteration=False)
    assert matching(values(kept), values(kept)) == 100


@claim("TFD409", "A cache behind the shuffle keeps the order of its first pass")
def a_cache_keeps_the_order() -> None:
    dataset = Dataset.range(100).shuffle(100).cache()
    assert values(dataset) == values(dataset) != list(range(100))


@claim("TFD409", "`make_csv_dataset`, which shuffles unless it is told not to")
def csv_rows_are_shuffled() -> None:
    Path("rows.csv").write_text("x\n" + "\n".join(map(str, range(100))))

    def read(**settings: Any) -> list[int]:
        [batch] = tf.data.experimental.make_csv_dataset("rows.csv", 100, num_epochs=1, **settings)
        return batch["x"].numpy().tolist()

    assert read() != list(range(100)) == sorted(read())
    assert read(shuffle=False) == list(range(100))


@claim("TFD410", "In debug mode every mapped function runs in Python, step by step, without parallelism, prefetching")
def debug_mode_runs_python() -> None:
    eager: list[bool] = []

    def note(x: tf.Tensor) -> tf.Tensor:
        eager.append(tf.executing_eagerly())
        return x

    list(Dataset.range(8).map(note))
    assert not any(eager)
    tf.data.experimental.enable_debug_mode()
    eager.clear()
    iterator = iter(Dataset.range(8).map(note, num_parallel_calls=4).prefetch(8))
    for number in range(1, 9):
        next(iterator)
        assert sum(eager) == number


@claim("TFD410", "The mode holds for all datasets made after it")
def debug_mode_leaves_older_datasets_alone() -> None:
    calls: list[bool] = []

    def note(x: tf.Tensor) -> tf.Tensor:
        calls.append(tf.executing_eagerly())
        return x

    before = Dataset.range(8).map(note)
    tf.data.experimental.enable_debug_mode()
    list(before)
    assert sum(calls) == 0
    for _ in range(2):
        calls.clear()
        list(Dataset.range(8).map(note))
        assert sum(calls) == 8


@claim("TFD411", "The only batch is not full and is dropped, or everything is skipped: the dataset is empty")
def nothing_is_left() -> None:
    numbers = Dataset.range(16)
    assert not list(numbers.batch(32, drop_remainder=True))
    assert not list(numbers.skip(16))
    assert len(list(numbers.batch(32))) == len(list(numbers.batch(16, drop_remainder=True))) == 1
    assert values(numbers.skip(15)) == [15]


@claim("TFD411", "an epoch has no step, no metric is there, and validation has no result")
def keras_3_is_silent_about_nothing() -> None:
    only_keras_3()
    empty, full = rows().batch(32, drop_remainder=True), rows().batch(4)
    assert steps(empty) == [0]
    assert model().fit(empty, verbose=0).history == {}
    assert model().evaluate(empty, verbose=0, return_dict=True) == {}
    assert set(model().fit(full, validation_data=empty, verbose=0).history) == {"loss"}
    assert set(model().fit(full, validation_data=full, verbose=0).history) == {"loss", "val_loss"}


@claim("TFD411", "After `batch` it is batches that are skipped")
def batches_are_skipped() -> None:
    assert not list(Dataset.range(16).batch(4).skip(4))
    assert len(list(Dataset.range(16).skip(4).batch(4))) == 3


def image() -> tf.Tensor:
    """Other than its mirror image, and than all of its crops."""
    return tf.reshape(tf.range(49.0), [7, 7, 1])


def same(one: Callable[[tf.Tensor], tf.Tensor], other: Callable[[tf.Tensor], tf.Tensor]) -> int:
    """In how many of 200 elements two functions give the same."""
    equal = Dataset.from_tensors(image()).repeat(200).map(lambda x: tf.reduce_all(one(x) == other(x)))
    return sum(values(equal))


@claim("TFD412", "Each evaluation sees other images")
def random_images_differ_from_pass_to_pass() -> None:
    images = Dataset.from_tensors(image()).repeat(100)

    def passes(change: Callable[[tf.Tensor], tf.Tensor]) -> int:
        changed = images.map(change).batch(100)
        return len({next(iter(changed)).numpy().tobytes() for _ in range(10)})

    assert passes(lambda x: tf.image.random_brightness(x, 0.2)) == 10
    assert passes(tf.image.random_flip_left_right) == 10
    assert passes(lambda x: tf.image.stateless_random_flip_left_right(x, (1, 2))) == 1


@claim(
    "TFD412",
    "random layers of Keras draw without `training=True`, too (measured on Keras 3); `training=False` switches",
)
def random_layers_draw_in_a_map() -> None:
    only_keras_3()
    flip = tf.keras.layers.RandomFlip("horizontal")
    assert 50 < same(flip, lambda x: x) < 150
    assert 50 < same(lambda x: flip(x, training=True), lambda x: x) < 150
    assert same(lambda x: flip(x, training=False), lambda x: x) == 200


@claim(
    "TFD413",
    "of 1,000 elements behind an infinite dataset none was read, and of four files under `flat_map` the first one",
)
def nothing_is_read_behind_what_has_no_end() -> None:
    first, second = Dataset.range(4), Dataset.range(1000, 2000)
    assert max(values(first.repeat().concatenate(second).take(5000))) == 3
    assert set(values(first.concatenate(second).repeat().take(5000))) == {*range(4), *range(1000, 2000)}

    def endless(x: tf.Tensor) -> tf.data.Dataset:
        return Dataset.from_tensors(x).repeat()

    files = Dataset.range(4)
    assert set(values(files.flat_map(endless).take(1000))) == {0}
    assert set(values(files.flat_map(Dataset.from_tensors).repeat().take(1000))) == {0, 1, 2, 3}


@claim("TFD413", "`flat_map`, or `interleave` with a `cycle_length` of 1")
def one_endless_file_at_a_time_is_the_first() -> None:
    def read(cycle_length: int) -> set[int]:
        files = Dataset.range(4)
        parts = files.interleave(lambda x: Dataset.from_tensors(x).repeat(), cycle_length=cycle_length)
        return set(values(parts.take(100)))

    assert read(1) == {0}
    assert read(4) == {0, 1, 2, 3}


def photos(folders: int, each: int, shades: bool = False) -> None:
    for folder in range(folders):
        Path("photos", str(folder)).mkdir(parents=True)
        for number in range(each):
            data = tf.io.encode_png(tf.fill([1, 1, 3], tf.cast(number if shades else 0, tf.uint8)))
            Path("photos", str(folder), f"{number:03}.png").write_bytes(data.numpy())


def both_parts(one: dict[str, Any], other: dict[str, Any]) -> tuple[int, int]:
    """How many of the validation files are trained on, and how many there are."""

    def files(subset: str, settings: dict[str, Any]) -> set[str]:
        settings = {"validation_split": 0.2, **settings}
        return set(tf.keras.utils.image_dataset_from_directory("photos", subset=subset, **settings).file_paths)

    train, validation = files("training", one), files("validation", other)
    return len(train & validation), len(validation)


@claim("TFD414", "| `seed=1` | `seed=1` | 0 of 20 | | `seed=1` | `seed=1, shuffle=False` | 15 to 20 of 20 |")
def parts_of_two_orders_overlap() -> None:
    photos(folders=5, each=20)
    for seed in range(1, 7):
        assert both_parts({"seed": seed}, {"seed": seed}) == (0, 20)
        common, count = both_parts({"seed": seed}, {"seed": seed, "shuffle": False})
        assert 15 <= common <= count == 20


@claim("TFD414", "| `seed=1` | `seed=11` | 14 to 18 of 20 |")
def parts_of_two_seeds_overlap() -> None:
    photos(folders=5, each=20)
    for seed in range(1, 7):
        common, count = both_parts({"seed": seed}, {"seed": seed + 10})
        assert (14 <= common <= 18, count) == (True, 20)


@claim(
    "TFD414",
    "| `shuffle=False` | `shuffle=False` | 0 of 20 | | `validation_split=0.2` | `validation_split=0.3` | 10 of 30 |",
)
def a_larger_validation_part_reaches_into_training() -> None:
    photos(folders=5, each=20)
    assert both_parts({"shuffle": False}, {"shuffle": False}) == (0, 20)
    for seed in range(1, 7):
        assert both_parts({"seed": seed}, {"seed": seed, "validation_split": 0.3}) == (10, 30)
        assert both_parts({"seed": seed, "validation_split": 0.3}, {"seed": seed})[0] == 0


@claim("TFD415", "Of 100 examples in batches of 32, 4 are left out (measured: `predict` returns 96 rows)")
def the_remainder_is_never_scored() -> None:
    inputs = Dataset.from_tensor_slices(tf.zeros([100, 4]))
    assert len(model().predict(inputs.batch(32, drop_remainder=True), verbose=0)) == 96
    assert len(model().predict(inputs.batch(32), verbose=0)) == 100


@claim("TFD415", "Training loses nothing by it where it shuffles: other examples are left out in each epoch")
def training_gets_to_all() -> None:
    def seen(ds: tf.data.Dataset) -> int:
        batches = ds.batch(32, drop_remainder=True).unbatch()
        return len({x for _ in range(20) for x in values(batches)})

    assert seen(Dataset.range(100)) == 96
    assert seen(Dataset.range(100).shuffle(100)) == 100


@claim("TFD416", "an iterator over four elements gave 4, 0 and 0 in three passes")
def an_iterator_is_read_once() -> None:
    dataset = Dataset.range(4)
    for made in (
        iter(dataset),
        dataset.as_numpy_iterator(),
        zip(dataset, dataset, strict=False),
        enumerate(dataset),
        map(int, dataset),
    ):
        assert [sum(1 for _ in made) for _ in range(3)] == [4, 0, 0]
    assert [sum(1 for _ in dataset) for _ in range(3)] == [4, 4, 4]


@claim("TFD416", "a generator given to `from_generator` that goes on with an iterator from outside")
def a_generator_goes_on_where_it_was() -> None:
    outside = iter(range(4))
    signature = tf.TensorSpec([], tf.int64)
    once = Dataset.from_generator(lambda: outside, output_signature=signature)
    anew = Dataset.from_generator(lambda: iter(range(4)), output_signature=signature)
    assert [len(values(once)) for _ in range(3)] == [4, 0, 0]
    assert [len(values(anew)) for _ in range(3)] == [4, 4, 4]


@claim(
    "TFD417",
    "the program raises a TypeError (for a `name` that is no text an AttributeError, for an array a ValueError)",
)
def arguments_that_do_not_fit_are_refused() -> None:
    numbers, zeros = Dataset.range(4), tf.zeros([4]).numpy()
    assert raises(lambda: numbers.shuffle()) == raises(lambda: numbers.prefetch()) == "TypeError"
    assert raises(lambda: numbers.batch(8, drop_reminder=True)) == raises(lambda: numbers.take(2, 3, 4)) == "TypeError"
    assert raises(lambda: numbers.concatenate(numbers, numbers)) == "AttributeError"
    assert raises(lambda: Dataset.from_tensor_slices(zeros, zeros)) == "ValueError"
    assert not raises(lambda: Dataset.from_tensor_slices((zeros, zeros)))


@claim("TFD417", "the labels are taken for the name of the stage")
def the_second_argument_is_a_name() -> None:
    assert Dataset.from_tensor_slices(tf.zeros([4]), "labels").element_spec == tf.TensorSpec([])
    assert Dataset.from_tensor_slices((tf.zeros([4]), tf.zeros([4]))).element_spec == (tf.TensorSpec([]),) * 2


def paired(one: tf.data.Dataset, other: tf.data.Dataset) -> list[int]:
    """How many pairs match in three passes over a `zip`."""
    pairs = Dataset.zip((one, other))
    return [sum(bool(a == b) for a, b in pairs.as_numpy_iterator()) for _ in range(3)]


def branches(source: tf.data.Dataset) -> list[int]:
    return paired(source.map(tf.identity), source.map(lambda x: tf.identity(x)))


@claim("TFD418", "a `shuffle` gives each iteration another order, within one `zip` too")
def two_branches_of_a_shuffle_have_two_orders() -> None:
    numbers = Dataset.range(100)
    assert max(branches(numbers.shuffle(100))) <= CHANCE
    assert branches(numbers) == [100, 100, 100]


@claim("TFD418", "two branches of one `shuffle(100, seed=1)`, also with `tf.random.set_seed`")
def a_seed_does_not_pair_two_branches() -> None:
    assert max(branches(Dataset.range(100).shuffle(100, seed=1))) <= CHANCE
    tf.random.set_seed(3)
    assert max(branches(Dataset.range(100).shuffle(100, seed=1))) <= CHANCE


@claim("TFD418", "two branches of one `list_files`, seeded or not")
def two_branches_of_a_listing_have_two_orders() -> None:
    for number in range(100):
        Path(f"{number}.txt").touch()
    assert max(branches(Dataset.list_files("*.txt"))) <= CHANCE
    assert max(branches(Dataset.list_files("*.txt", seed=1))) <= CHANCE
    assert branches(Dataset.list_files("*.txt", shuffle=False)) == [100, 100, 100]


@claim("TFD418", "two shuffles without a seed, with two seeds")
def two_shuffles_have_two_orders() -> None:
    numbers = Dataset.range(100)
    assert max(paired(numbers.shuffle(100), numbers.shuffle(100))) <= CHANCE
    assert max(paired(numbers.shuffle(100, seed=1), numbers.shuffle(100, seed=2))) <= CHANCE


@claim("TFD418", "two shuffles with one seed, buffers of 50 and 100")
def one_seed_and_two_buffers_pair_some() -> None:
    numbers = Dataset.range(100)
    matches = paired(numbers.shuffle(50, seed=1), numbers.shuffle(100, seed=1))
    assert 2 < min(matches) <= max(matches) < 50


@claim("TFD418", "two shuffles with one seed and one buffer size | 100, 100, 100")
def one_seed_and_one_buffer_pair_all() -> None:
    numbers = Dataset.range(100)
    assert paired(numbers.shuffle(100, seed=1), numbers.shuffle(100, seed=1)) == [100, 100, 100]


@claim("TFD418", "two branches of one `shuffle(100, reshuffle_each_iteration=False)` | 100, 100, 100")
def one_order_pairs_all() -> None:
    assert branches(Dataset.range(100).shuffle(100, reshuffle_each_iteration=False)) == [100, 100, 100]


@claim("TFD418", "two branches of one `shuffle(100).cache()` | 1, then 100, 100")
def a_cache_pairs_all_but_the_first_pass() -> None:
    first, *later = branches(Dataset.range(100).shuffle(100).cache())
    assert first <= CHANCE
    assert later == [100, 100]


@claim("TFD419", "each of its elements is a dataset of `n` elements, for tuples a tuple of datasets")
def windows_are_datasets() -> None:
    numbers = Dataset.range(6)
    assert [values(window) for window in numbers.window(3)] == [[0, 1, 2], [3, 4, 5]]
    for pair in Dataset.zip((numbers, numbers)).window(3):
        assert isinstance(pair, tuple)
        assert [values(part) for part in pair] in ([[0, 1, 2]] * 2, [[3, 4, 5]] * 2)


@claim("TFD419", "`padded_batch`, `unbatch` and mapped functions raise at once")
def windows_are_refused_at_once() -> None:
    windows = Dataset.range(6).window(3)
    assert raises(lambda: windows.padded_batch(2))
    assert raises(windows.unbatch)
    assert "not subscriptable" in message(lambda: windows.map(lambda window: window[:-1]))
    assert raises(lambda: windows.map(lambda window: window + 1)) == "TypeError"
    assert values(windows.flat_map(lambda window: window.batch(3)).map(lambda window: window[-1])) == [2, 5]


@claim("TFD419", "`fit` when it is called (`Only input tensors may be passed`)")
def keras_wants_tensors() -> None:
    only_keras_3()
    windows = Dataset.from_tensor_slices(tf.zeros([6])).window(3)
    assert "Only input tensors may be passed" in message(lambda: model().fit(windows, verbose=0))


@claim("TFD419", "it gives batches of datasets, which have no shape, no dtype and no `numpy()`")
def batched_windows_are_no_tensors() -> None:
    windows = Dataset.range(6).window(3)
    for batch in windows.batch(2):
        assert not any(hasattr(batch, name) for name in ("shape", "dtype", "numpy"))
    [batch] = windows.flat_map(lambda window: window.batch(3)).batch(2)
    assert batch.shape == (2, 3)


def png(height: int) -> tf.Tensor:
    return tf.io.encode_png(tf.zeros([height, 5, 3], tf.uint8))


def unknown_rank() -> tf.data.Dataset:
    return Dataset.from_tensors(png(4)).map(lambda data: tf.io.decode_image(data, channels=3))


@claim("TFD420", "therefore tells no rank, whatever `channels` says")
def decode_image_tells_no_rank() -> None:
    data = Dataset.from_tensors(png(4))
    for channels in 0, 1, 3:
        # The default stands for what the loop is at.
        images = data.map(lambda data, channels=channels: tf.io.decode_image(data, channels=channels))
        assert images.element_spec.shape.rank is None
    still = data.map(lambda data: tf.io.decode_image(data, expand_animations=False))
    assert still.element_spec.shape.rank == 3


@claim("TFD420", "Other decoders tell the rank")
def other_decoders_tell_the_rank() -> None:
    data = Dataset.from_tensors(png(4))
    for decode in tf.io.decode_png, tf.io.decode_jpeg, tf.io.decode_bmp:
        assert data.map(decode).element_spec.shape.rank == 3
    assert data.map(tf.io.decode_gif).element_spec.shape.rank == 4


@claim("TFD420", "The program fails: `'images' contains no shape`")
def resizing_needs_the_rank() -> None:
    resize = tf.image.resize
    assert "'images' contains no shape" in message(lambda: unknown_rank().map(lambda image: resize(image, [2, 2])))
    assert raises(lambda: unknown_rank().map(lambda image: tf.image.central_crop(image, 0.5))) == "ValueError"
    assert "padded_shapes" in message(lambda: unknown_rank().padded_batch(2))


@claim("TFD420", "Other operations (flips, crops, casts, `resize_with_pad`, `batch`, `predict`) do without")
def other_operations_do_without_the_rank() -> None:
    images = unknown_rank()
    changes: list[Callable[[tf.Tensor], tf.Tensor]] = [
        tf.image.random_flip_left_right,
        lambda image: tf.image.random_crop(image, [2, 2, 3]),
        lambda image: tf.cast(image, tf.float32),
        lambda image: tf.image.resize_with_pad(image, 8, 8),
    ]
    for change in changes:
        assert len(list(images.map(change).batch(1))) == 1
    floats = images.map(lambda image: tf.cast(image, tf.float32)).batch(1)
    flat = model(tf.keras.Input((4, 5, 3)), tf.keras.layers.Flatten())
    assert flat.predict(floats, verbose=0).shape == (1, 1)


@claim("TFD420", "in `fit`, `Cannot take the length of shape with unknown rank`")
def training_needs_the_rank() -> None:
    only_keras_3()
    batches = unknown_rank().map(lambda image: (tf.cast(image, tf.float32), 0.0)).batch(1)
    flat = model(tf.keras.Input((4, 5, 3)), tf.keras.layers.Flatten())
    for work in flat.fit, flat.evaluate:
        assert "Cannot take the length of shape with unknown rank" in message(
            lambda work=work: work(batches, verbose=0)
        )
    told = batches.map(lambda image, label: (tf.ensure_shape(image, [None, 4, 5, 3]), label))
    flat.fit(told, verbose=0)


@claim("TFD421", "`Cannot add tensor to the batch`, or, where something stands between the `map` and the `batch`,")
def images_of_two_sizes_do_not_meet_in_a_batch() -> None:
    images = Dataset.from_tensor_slices([png(4), png(6)]).map(tf.io.decode_png)
    assert "Cannot add tensor to the batch" in message(lambda: list(images.batch(2)))
    assert "Cannot batch tensors with different shapes" in message(lambda: list(images.shuffle(2).batch(2)))
    assert len(list(images.batch(1))) == 2


@claim("TFD421", "Or pad them, to the largest of each batch")
def images_of_two_sizes_are_padded_to_the_larger() -> None:
    images = Dataset.from_tensor_slices([png(4), png(6), png(5)]).map(tf.io.decode_png)
    assert [batch.shape for batch in images.padded_batch(2)] == [(2, 6, 5, 3), (1, 5, 5, 3)]


@claim("TFD422", "an epoch is so many batches of *one* iterator, which goes on in the next epoch")
def counted_epochs_share_an_iterator() -> None:
    assert started(steps_per_epoch=2) == 1


@claim(
    "TFD422",
    "they have 5, 3, 5, 3 and 5. Metrics, callbacks and schedules take a few batches for a whole epoch. "
    "Keras 2, up to TensorFlow 2.15, stops the training there.",
)
def epochs_end_with_the_dataset() -> None:
    dataset = rows().batch(2)
    assert steps(dataset, epochs=5, steps_per_epoch=5) == ([5, 3, 5, 3, 5] if is_keras_3() else [5, 3])
    assert steps(dataset.repeat(), epochs=5, steps_per_epoch=5) == [5] * 5


SCALAR = tf.TensorSpec([], tf.int32)


def yielding(element: Any, signature: Any) -> list[Any]:
    return list(Dataset.from_generator(lambda: iter([element]), output_signature=signature))


@claim("TFD423", "at the first element: `generator yielded an element that did not match the expected structure`")
def another_structure_is_refused() -> None:
    pair = (SCALAR, SCALAR)
    for element, signature in ([1, 2], pair), ((1, 2, 3), pair), ({"a": 1}, pair), ({"a": 1}, {"b": SCALAR}):
        # The dataset itself is made without complaint.
        Dataset.from_generator(lambda element=element: iter([element]), output_signature=signature)
        assert raises(lambda e=element, s=signature: yielding(e, s)) == "InvalidArgumentError"
        said = message(lambda e=element, s=signature: yielding(e, s))
        assert "yielded an element that did not match the expected structure" in said
    assert yielding((1, 2), pair) == [(1, 2)]


@claim("TFD423", "A list is never the same as a tuple there: inside of tuples and dicts lists become tensors")
def lists_are_no_tuples() -> None:
    two = tf.TensorSpec([2], tf.int32)
    assert raises(lambda: yielding(([1, 2], 3), ((SCALAR, SCALAR), SCALAR))) == "InvalidArgumentError"
    [(first, _)] = yielding(([1, 2], 3), (two, SCALAR))
    [named] = yielding({"a": [1, 2]}, {"a": two})
    assert first.numpy().tolist() == named["a"].numpy().tolist() == [1, 2]


@claim("TFD423", "a list in the place of the signature, a generator in the place of the function that makes one")
def a_list_is_no_signature_and_a_generator_no_function() -> None:
    pairs = [(1, 2)]
    assert raises(lambda: Dataset.from_generator(lambda: iter(pairs), [tf.int32, tf.int32])) == "TypeError"
    assert raises(lambda: Dataset.from_generator((x for x in pairs), (tf.int32, tf.int32))) == "TypeError"
    assert not raises(lambda: Dataset.from_generator(lambda: iter(pairs), (tf.int32, tf.int32)))


@claim("TFD423", "dtypes without shapes in `fit` and `evaluate` of Keras 3")
def keras_3_wants_shapes() -> None:
    only_keras_3()

    def generate() -> Iterator[tuple[list[float], float]]:
        yield [0.0] * 4, 0.0

    types = (tf.float32, tf.float32)
    built = model(tf.keras.Input((4,)))
    bare = Dataset.from_generator(generate, types).batch(1)
    assert raises(lambda: built.fit(bare, verbose=0)) == raises(lambda: built.evaluate(bare, verbose=0)) == "ValueError"
    built.fit(Dataset.from_generator(generate, types, ([4], [])).batch(1), verbose=0)


@claim("TFD424", "two calls of `random_flip_left_right` agree on 95, two crops on 11")
def two_calls_draw_twice() -> None:
    flip = tf.image.random_flip_left_right
    # The bounds are seven standard deviations, and more, away from a half and from 1 of 16 places.
    assert 50 < same(flip, flip) < 150
    assert same(lambda x: tf.image.random_crop(x, [4, 4, 1]), lambda x: tf.image.random_crop(x, [4, 4, 1])) < 50


@claim("TFD424", "Two calls with the same seed draw alike (measured: 200 of 200), and so do layers")
def one_seed_draws_alike() -> None:
    def flip(x: tf.Tensor) -> tf.Tensor:
        return tf.image.random_flip_left_right(x, seed=7)

    one, other, third = (tf.keras.layers.RandomFlip("horizontal", seed=seed) for seed in (7, 7, 8))
    assert same(flip, flip) == 200
    assert same(lambda x: one(x, training=True), lambda x: other(x, training=True)) == 200
    assert same(lambda x: one(x, training=True), lambda x: third(x, training=True)) < 150


@claim(
    "TFD425",
    "Of 32 × 32 images of 64 × 64 the model gets `(32, 32, 64, 64, 3)`, and Keras raises `Invalid input shape`",
)
def batches_of_batches_do_not_fit() -> None:
    only_keras_3()
    images = Dataset.range(1024).map(lambda _: (tf.zeros([64, 64, 3]), 0.0)).batch(32)
    for batch, _ in images.batch(32):
        assert batch.shape == (32, 32, 64, 64, 3)
    flat = model(tf.keras.Input((64, 64, 3)), tf.keras.layers.Flatten())
    assert "Invalid input shape" in message(lambda: flat.fit(images.batch(32), verbose=0))
    flat.fit(images.take(1), verbose=0)


@claim("TFD425", "tf.data may be faster: `Cannot batch tensors with different shapes`, at the end of the first epoch")
def the_last_batch_has_another_size() -> None:
    said = "Cannot batch tensors with different shapes"
    assert said in message(lambda: list(Dataset.range(100).batch(32).batch(4)))
    iterator = iter(Dataset.range(100).batch(32).batch(3))
    assert next(iterator).shape == (3, 32)
    assert next(iterator).shape == (1, 4)
    assert len(list(Dataset.range(128).batch(32).batch(4))) == 1


@claim("TFD425", "`image_dataset_from_directory` and its relatives (32 by default)")
def a_keras_utility_gives_batches_of_32() -> None:
    photos(folders=1, each=33)
    assert len(tf.keras.utils.image_dataset_from_directory("photos")) == 2
    Path("photos", "0", "000.png").unlink()
    assert len(tf.keras.utils.image_dataset_from_directory("photos")) == 1


def pairs() -> tf.data.Dataset:
    return rows(10)


@claim("TFD426", "`map` calls the function when the dataset is made, and Python raises a TypeError")
def too_few_parameters_fail_when_the_dataset_is_made() -> None:
    def work() -> None:
        Dataset.range(3).map(lambda x, y: x)

    assert raises(work) == "TypeError"
    assert "missing 1 required positional argument" in message(work)
    assert raises(lambda: pairs().map(lambda pair: pair)) == "TypeError"
    assert raises(lambda: pairs().filter(lambda pair: True)) == "TypeError"


@claim("TFD426", "The parts of a tuple are given one by one; a dict, a tensor and a tuple inside of the tuple are one")
def only_the_parts_of_a_tuple_are_arguments() -> None:
    given: list[int] = []

    def note(*parts: Any) -> int:
        given.append(len(parts))
        return 0

    named = Dataset.from_tensors({"price": 1.0, "amount": 3.0})
    for dataset in Dataset.range(3), named, pairs(), pairs().enumerate(), Dataset.zip((pairs(), named)):
        dataset.map(note)
    assert given == [1, 1, 2, 2, 2]


@claim("TFD426", "`enumerate`, and `zip` of pairs, give tuples in tuples")
def tuples_stay_in_tuples() -> None:
    for _, pair in pairs().enumerate().take(1):
        assert isinstance(pair, tuple)
    for one, other in Dataset.zip((pairs(), pairs())).take(1):
        assert isinstance(one, tuple)
        assert isinstance(other, tuple)


def drawn_in_parallel(**how: Any) -> int:
    """How many of several runs with one seed give other draws than the first."""
    runs = set()
    for _ in range(20):
        tf.random.set_seed(1)
        ds = Dataset.range(300).map(lambda x: tf.random.uniform([]), num_parallel_calls=4, **how)
        runs.add(tuple(float(x) for x in ds))
    return len(runs) - 1


@claim("TFD440", "Which element gets which draw differs from run to run, whatever the seed is.")
def parallel_draws_race() -> None:
    assert drawn_in_parallel() > 0


@claim("TFD440", "`deterministic=True` keeps the order of the elements and does not change that.")
def parallel_draws_race_in_order() -> None:
    assert drawn_in_parallel(deterministic=True) > 0
