export * from "../../common/unknown";
