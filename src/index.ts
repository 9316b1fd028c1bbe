// The package's public names. Each layer adds its own as it lands.
export {};
