# One image for web, worker, beat and the migrate job: they differ only in their command.

FROM node:22-slim AS assets
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts

FROM python:3.11-slim AS build
WORKDIR /app
ENV PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements.txt ./
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt
COPY --from=assets /app/node_modules ./node_modules
COPY manage.py pyproject.toml ./
COPY grader ./grader
COPY exercises ./exercises
COPY frontend ./frontend
COPY server ./server
RUN STATIC_ROOT=/app/static /venv/bin/python manage.py collectstatic --no-input && rm -rf node_modules var

FROM python:3.11-slim
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin gym
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=8000 \
    STATIC_ROOT=/app/static \
    VAR_DIR=/tmp
USER gym
EXPOSE 8000
CMD ["gunicorn", "--config", "python:server.web", "server.wsgi:application"]
