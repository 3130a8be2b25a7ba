# docker build -t tfdata-lint . && docker run --rm -v "$PWD:/code:ro" tfdata-lint check --no-cache
FROM python:3.12-slim AS build
COPY pyproject.toml hatch_build.py README.md LICENSE /source/
COPY docs/tfdata-lint.1 /source/docs/
COPY rules /source/rules
COPY tfdata_lint /source/tfdata_lint
RUN python -m venv --without-pip /opt/tfdata-lint \
    && pip --python /opt/tfdata-lint/bin/python install --no-cache-dir --disable-pip-version-check /source

FROM python:3.12-slim
COPY --from=build /opt/tfdata-lint /opt/tfdata-lint
RUN useradd --create-home lint
USER lint
WORKDIR /code
ENTRYPOINT ["/opt/tfdata-lint/bin/tfdata-lint"]
CMD ["check"]
