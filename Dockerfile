# The image of every process: `serve`, `project` and the operators' commands are its arguments (docs/operations.md).
# The packages that run, in a stage of their own: it is built beside the other, and only anew when packages change.
FROM node:24-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without scripts of packages: none is needed, and nothing is fetched but the packages that the lock file names.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY schemas ./schemas
COPY projections ./projections
COPY src ./src
# What the compiler remembers for its next run is not for the image.
RUN npm run build && rm dist/tsconfig.tsbuildinfo

FROM node:24-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production
# Freed memory goes back to the system: docs/operations.md, "Sizing".
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=1048576
WORKDIR /app
COPY LICENSE ./
COPY --from=build /app/package.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# For `docker compose exec projector budgeting status`.
RUN ln -s /app/dist/src/cli.js /usr/local/bin/budgeting
USER node
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
# Whether the process is alive, over the management port; whether it is ready is for whoever routes to it (/readyz).
# By bash, because starting Node every few seconds costs a busy machine more than the answer does.
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${MANAGEMENT_PORT:-9464} && printf 'GET /livez HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ $status = 200 ]"]
# 16 MB for young objects; Node 24 would take four times as much. The same section says what that saves.
ENTRYPOINT ["node", "--max-semi-space-size=16", "dist/src/cli.js"]
CMD ["--help"]
