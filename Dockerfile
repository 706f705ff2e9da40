# headcount serve in a container: docker build -t headcount . (docs/serve.md says how to start it).
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN pip install --no-cache-dir --prefix=/made ".[web,excel]"

FROM python:3.12-slim
COPY --from=build /made /usr/local
RUN useradd --create-home --uid 1000 headcount && install -d -o headcount -m 700 /studies
USER headcount
VOLUME /studies
EXPOSE 8731
# Inside, the container's own address is let in; outside, whom `docker run -p` lets in.
CMD ["headcount", "serve", "--host", "0.0.0.0", "--expose", "--port", "8731", "--no-open", "--folder", "/studies"]
