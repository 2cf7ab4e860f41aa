# One image for all programs: gateway (its command), media host (media-host/main.ts), engine of QR-paired numbers
# (engines/baileys/main.ts) and sandbox (sandbox/main.ts). They run as an unprivileged user, and write to /data alone, so that the root
# file system may be read-only. docs/operate.md says how to run it.

# The pages need the packages of development to be built, and nothing of them to be served.
FROM node:22-slim AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY engines/media/package.json engines/media/
RUN npm ci && rm -rf /root/.npm
COPY src/domain src/domain
COPY web web
RUN node web/build.ts

# Packages that run, without what nothing reads of them.
FROM node:22-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY engines/media/package.json engines/media/
COPY engines/baileys/package.json engines/baileys/package-lock.json engines/baileys/
COPY tools/install tools/install
RUN npm ci --omit=dev && npm ci --omit=dev --prefix engines/baileys \
  && node tools/install/trim.ts && node tools/install/trim.ts engines/baileys

FROM node:22-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data ENGINE_DATA_DIR=/data/engine
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE THIRD_PARTY.md ./
COPY docs docs
COPY src src
COPY actors actors
COPY media-host media-host
COPY sandbox sandbox
COPY tools tools
# Programs of their own, under licences of their own: GPL-3.0 is in both. Their READMEs say what passing on an image means.
COPY engines/media engines/media
COPY --from=packages /app/engines/baileys/node_modules engines/baileys/node_modules
COPY engines/baileys engines/baileys
COPY migrations migrations
COPY --from=pages /app/web/dist web/dist
# media: a volume that several gateways share is mounted there. engine: the store of an engine that has no database.
RUN mkdir -p /data/media /data/engine && chown -R 1000:1000 /data
# By number, as Kubernetes wants it: the user `node` of the image below.
USER 1000:1000
VOLUME /data
EXPOSE 3000 3001 3005 3011
CMD ["node", "--max-semi-space-size=64", "src/main.ts"]
